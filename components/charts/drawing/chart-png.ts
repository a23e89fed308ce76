const padding = 24; // px
const scale = 2; // device pixels for one of CSS, so that it stays sharp when it is printed
const titleHeight = 24;
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
export type Drawing = { svg: SVGSVGElement; legend: { color: string; text: string }[]; title: string; notes: string[] };

/** What a card draws with its notes, or null while there is no drawing in it: a table, a number, or one that is still loading. */
export function findDrawing(card: HTMLElement, title: string, notes: string[]): Drawing | null {
  const svg = card.querySelector<SVGSVGElement>("[data-drawing] svg.recharts-surface");
  if (!svg) return null;
  const items = [...card.querySelectorAll<HTMLElement>("[data-legend] > li")];
  const legend = items.map((item) => ({ color: colorOf(item), text: wordsOf(item) }));
  const own = [...card.querySelectorAll("[data-note]")].map(({ textContent }) => textContent);
  return { svg, legend, title, notes: [...own, ...notes] };
}

const colorOf = (item: HTMLElement) => getComputedStyle(item).color;
const wordsOf = (item: HTMLElement) => [...item.children].flatMap((part) => part.textContent || []).join("  ");

/** The drawing as a PNG: on the ground colour, with its title above, and its legend and notes below, all of it whole. */
export async function chartPng({ svg, legend, title, notes }: Drawing): Promise<Blob> {
  const page = getComputedStyle(document.body);
  const box = wholeBox(svg);
  const image = await imageOf(svg, box);

  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no images.");
  const whole = Math.max(box.width, 480);
  const font = (size: number, weight = 400) => `${weight} ${size}px ${page.fontFamily}`;
  const wrapped = (text: string) => inLines(text.split(" "), whole, (word) => context.measureText(`${word} `).width);
  context.font = font(16, 600);
  const titles = wrapped(title);
  context.font = font(12);
  const items = inLines(legend, whole, ({ text }) => 32 + context.measureText(text).width);
  const words = notes.flatMap(wrapped);
  const below = titles.length * titleHeight + 12 + box.height + 12;
  canvas.width = (whole + 2 * padding) * scale;
  canvas.height = (below + (items.length + words.length) * lineHeight + 2 * padding) * scale;
  context.scale(scale, scale);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(padding, padding);
  context.textBaseline = "top";
  context.fillStyle = page.color;
  context.font = font(16, 600);
  for (const [index, line] of titles.entries()) context.fillText(line.join(" "), 0, index * titleHeight);
  context.drawImage(image, 0, titles.length * titleHeight + 12, box.width, box.height);

  context.font = font(12);
  items.forEach((line, index) => {
    let x = 0;
    const y = below + index * lineHeight;
    for (const { color, text } of line) {
      context.fillStyle = color;
      context.fillRect(x, y + 1, 10, 10);
      context.fillStyle = page.color;
      context.fillText(text, x + 16, y, whole - x - 16);
      x += 32 + context.measureText(text).width;
    }
  });
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--muted-foreground");
  for (const [index, line] of words.entries()) {
    context.fillText(line.join(" "), 0, below + (items.length + index) * lineHeight);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image could not be made."))), "image/png");
  });
}

// What it draws can reach over its edges, where the screen shows it too.
function wholeBox(svg: SVGSVGElement) {
  const { width, height } = svg.getBoundingClientRect();
  const drawn = svg.getBBox();
  const [x, y] = [Math.min(0, drawn.x), Math.min(0, drawn.y)];
  return {
    x,
    y,
    width: Math.max(width, drawn.x + drawn.width) - x,
    height: Math.max(height, drawn.y + drawn.height) - y,
  };
}

// As many a line as fit.
function inLines<Item>(items: Item[], width: number, measure: (item: Item) => number): Item[][] {
  const lines: Item[][] = [];
  let x = width;
  for (const item of items) {
    const needed = measure(item);
    if (x + needed > width) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1)?.push(item);
    x += needed;
  }
  return lines;
}

// Nor does it know the fonts of the page: the one of its texts comes along, in other letters the widths would be others.
async function pageFont() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const family = getComputedStyle(document.body).fontFamily.split(",")[0];
  for (const rule of rules) {
    if (!(rule instanceof CSSFontFaceRule) || rule.style.getPropertyValue("font-family") !== family) continue;
    const path = /url\("?([^")]+)/.exec(rule.style.getPropertyValue("src"))?.[1];
    if (path === undefined) continue; // one of the machine's, by which the page waits for its own
    const font = await (await fetch(new URL(path, rule.parentStyleSheet?.href ?? document.baseURI))).blob();
    return `@font-face { font-family: ${family}; font-weight: 100 900; src: url("${await addressOf(font)}"); }`;
  }
  return "";
}

const addressOf = (content: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });

// An image of an SVG knows no style sheet: what they say is written into its elements.
async function imageOf(svg: SVGSVGElement, { x, y, width, height }: ReturnType<typeof wholeBox>) {
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
  copy.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.style.fontFamily = getComputedStyle(document.body).fontFamily;
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await pageFont();
  copy.prepend(style);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
