const padding = 24; // px
const scale = 2; // device pixels for one of CSS, so that it stays sharp when it is printed
const titleHeight = 36;
const lineHeight = 20;
const styles = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "text-anchor",
  "opacity",
];

/** A chart as it is drawn on the screen. */
export type Drawing = { svg: SVGSVGElement; legend: { color: string; text: string }[]; title: string; note: string };

/** What a card draws, or null while there is no drawing in it: a table, a number, or one that is still loading. */
export function findDrawing(card: HTMLElement, title: string, note: string): Drawing | null {
  const svg = card.querySelector<SVGSVGElement>("[data-drawing] svg.recharts-surface");
  if (!svg) return null;
  const items = [...card.querySelectorAll<HTMLElement>("[data-legend] > li")];
  const legend = items.map((item) => ({ color: colorOf(item), text: wordsOf(item) }));
  return { svg, legend, title, note };
}

const colorOf = (item: HTMLElement) => getComputedStyle(item).color;
const wordsOf = (item: HTMLElement) => [...item.children].flatMap((part) => part.textContent || []).join("  ");

/** The drawing as a PNG: on the ground colour, with its title above, and its legend and a note below. */
export async function chartPng({ svg, legend, title, note }: Drawing): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const image = await imageOf(svg, width, height);

  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no images.");
  const whole = Math.max(width, 320);
  const font = (size: number, weight = 400) => `${weight} ${size}px ${page.fontFamily}`;
  context.font = font(12);
  const lines = inLines(legend, whole, (text) => context.measureText(text).width);
  canvas.width = (whole + 2 * padding) * scale;
  canvas.height = (height + titleHeight + lines.length * lineHeight + 2 * lineHeight + 2 * padding) * scale;
  context.scale(scale, scale);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(padding, padding);
  context.textBaseline = "top";
  context.fillStyle = page.color;
  context.font = font(16, 600);
  context.fillText(title, 0, 0, whole);
  context.drawImage(image, 0, titleHeight, width, height);

  context.font = font(12);
  lines.forEach((line, index) => {
    const y = titleHeight + height + lineHeight / 2 + index * lineHeight;
    for (const { x, color, text } of line) {
      context.fillStyle = color;
      context.fillRect(x, y + 1, 10, 10);
      context.fillStyle = page.color;
      context.fillText(text, x + 16, y);
    }
  });
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--muted-foreground");
  context.fillText(note, 0, titleHeight + height + lines.length * lineHeight + lineHeight, whole);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image could not be made."))), "image/png");
  });
}

// As many items a line as fit.
function inLines(legend: Drawing["legend"], width: number, measure: (text: string) => number) {
  const lines: { x: number; color: string; text: string }[][] = [];
  let x = width;
  for (const item of legend) {
    const needed = 16 + measure(item.text) + 16;
    if (x + needed > width) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1)?.push({ x, ...item });
    x += needed;
  }
  return lines;
}

// An image of an SVG knows no style sheet: what they say is written into its elements.
async function imageOf(svg: SVGSVGElement, width: number, height: number) {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error("This is no drawing.");
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const computed = getComputedStyle(original);
    for (const name of styles) element.style.setProperty(name, computed.getPropertyValue(name));
  });
  // What stands there only while the pointer does.
  for (const passing of copy.querySelectorAll(".recharts-tooltip-cursor, .recharts-active-dot")) passing.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.style.fontFamily = getComputedStyle(document.body).fontFamily;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
