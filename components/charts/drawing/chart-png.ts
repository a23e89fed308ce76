const padding = 24; // px
const scale = 2; // sharp in print
const titleHeight = 24;
const lineHeight = 20;
const legendGap = 24;
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

/**
 * The chart of a card as a PNG on the page's background, laid out as on the card. It includes title, legend and notes. Null
 * while nothing is drawn.
 */
export async function chartPng(card: HTMLElement, title: string, cardNotes: string[]): Promise<Blob | null> {
  const svg = card.querySelector<SVGSVGElement>("[data-drawing] svg.recharts-surface");
  const cells = card.querySelector<HTMLElement>("table, dl");
  const drawing = svg ? await svgDrawing(svg) : cells && cellsDrawing(cells);
  if (!drawing) return null;
  const legend: LegendItem[] = [...card.querySelectorAll<HTMLElement>("[data-legend] > li")].map((item) => ({
    color: getComputedStyle(item).color,
    dash: item.querySelector("line")?.getAttribute("stroke-dasharray"),
    text: [...item.children].flatMap((part) => part.textContent || []).join("  "),
  }));
  const notes = [...[...card.querySelectorAll("[data-note]")].map(({ textContent }) => textContent), ...cardNotes];
  const page = getComputedStyle(document.body);

  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser can't draw images.");
  const font = (size: number, weight = 400) => `${weight} ${size}px ${page.fontFamily}`;
  // The legend of a pie is next to it.
  const legendLeft = card.querySelector("[data-legend]")?.getBoundingClientRect().left ?? 0;
  const isBeside = svg !== null && legendLeft >= svg.getBoundingClientRect().right;
  context.font = font(12);
  const swatchWidth = ({ dash }: LegendItem) => (dash == null ? 10 : 20);
  const itemWidth = (item: LegendItem) => swatchWidth(item) + 22 + context.measureText(item.text).width;
  const contentWidth = drawing.width + (isBeside ? legendGap + Math.min(384, Math.max(...legend.map(itemWidth))) : 0);
  const wrapped = (text: string) =>
    inLines(text.split(" "), contentWidth, (word) => context.measureText(`${word} `).width);
  context.font = font(16, 600);
  const titles = wrapped(title);
  context.font = font(12);
  const items = isBeside ? legend.map((item) => [item]) : inLines(legend, contentWidth, itemWidth);
  const words = notes.flatMap(wrapped);
  const legendHeight = items.length * lineHeight;
  const top = titles.length * titleHeight + 12;
  const below = top + Math.max(drawing.height, isBeside ? legendHeight : 0) + 12;
  const legendX = isBeside ? drawing.width + legendGap : 0;
  const legendY = isBeside ? top + Math.max(0, drawing.height - legendHeight) / 2 : below;
  const wordsY = isBeside ? below : below + legendHeight;
  canvas.width = (contentWidth + 2 * padding) * scale;
  canvas.height = (wordsY + words.length * lineHeight + 2 * padding) * scale;
  context.scale(scale, scale);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(padding, padding);
  context.textBaseline = "top";
  context.fillStyle = page.color;
  context.font = font(16, 600);
  for (const [index, line] of titles.entries()) context.fillText(line.join(" "), 0, index * titleHeight);
  context.save();
  context.translate(0, top);
  drawing.draw(context);
  context.restore();

  context.font = font(12);
  items.forEach((line, index) => {
    let x = legendX;
    const y = legendY + index * lineHeight;
    for (const item of line) {
      const { color, dash, text } = item;
      const width = swatchWidth(item);
      context.fillStyle = color;
      if (dash == null) context.fillRect(x, y + 1, width, 10);
      else {
        context.strokeStyle = color;
        context.lineWidth = 2;
        context.setLineDash(dash.split(" ").map(Number).filter(Boolean));
        context.stroke(new Path2D(`M${x} ${y + 6}h${width}`));
      }
      context.fillStyle = page.color;
      context.fillText(text, x + width + 6, y, contentWidth - x - width - 6);
      x += itemWidth(item);
    }
  });
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--muted-foreground");
  for (const [index, line] of words.entries()) {
    context.fillText(line.join(" "), 0, wordsY + index * lineHeight);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image couldn't be made."))), "image/png");
  });
}

type LegendItem = { color: string; text: string; dash: string | null | undefined };

type Drawing = { width: number; height: number; draw: (context: CanvasRenderingContext2D) => void };

async function svgDrawing(svg: SVGSVGElement): Promise<Drawing> {
  const box = wholeBox(svg);
  const image = await drawImage(svg, box);
  return { ...box, draw: (context) => context.drawImage(image, 0, 0, box.width, box.height) };
}

// A table or large numbers: each word and arrow where the page has it, without scrolling or cutting anything off.
function cellsDrawing(cells: HTMLElement): Drawing {
  const copy = cells.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error("This isn't a drawing.");
  copy.inert = true;
  copy.style.cssText = `position: absolute; visibility: hidden; width: max-content; min-width: ${cells.clientWidth}px;
    font-variant-numeric: normal`; // as the canvas draws digits
  for (const cell of copy.querySelectorAll<HTMLElement>("th, td"))
    cell.style.cssText += "; position: static; max-width: none";
  cells.after(copy);
  const { left, top, width, height } = copy.getBoundingClientRect();
  const fills = [...copy.querySelectorAll("td")].map((cell) => fillOf(cell, getComputedStyle(cell).backgroundColor));
  const rowEnds = [...copy.querySelectorAll("tr")].map((row) => row.getBoundingClientRect().bottom);
  const words = wordsIn(copy);
  const arrows = [...copy.querySelectorAll("svg")].map((icon) => ({
    box: icon.getBoundingClientRect(),
    color: getComputedStyle(icon).color,
    lines: [...icon.querySelectorAll("path")].map((line) => line.getAttribute("d") ?? ""),
  }));
  const border = getComputedStyle(document.documentElement).getPropertyValue("--border");
  copy.remove();
  return {
    width,
    height,
    draw: (context) => {
      context.translate(-left, -top);
      for (const { box, color } of fills) {
        context.fillStyle = color;
        context.fillRect(box.left, box.top, box.width, box.height);
      }
      context.fillStyle = border;
      for (const bottom of rowEnds.slice(0, -1)) context.fillRect(left, bottom - 1, width, 1);
      context.textBaseline = "middle";
      for (const { text, box, color, font, isRight } of words) {
        context.fillStyle = color;
        context.font = font;
        context.textAlign = isRight ? "right" : "left"; // digits are narrower than on the page
        context.fillText(text, isRight ? box.right : box.left, (box.top + box.bottom) / 2);
      }
      for (const { box, color, lines } of arrows) {
        context.save();
        context.translate(box.left, box.top);
        context.scale(box.width / 24, box.height / 24); // the icons' own grid
        context.strokeStyle = color;
        context.lineWidth = 2;
        for (const line of lines) context.stroke(new Path2D(line));
        context.restore();
      }
    },
  };
}

const fillOf = (element: Element, color: string) => ({ box: element.getBoundingClientRect(), color });

function wordsIn(element: HTMLElement) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words = [];
  while (texts.nextNode()) {
    const { currentNode } = texts;
    const parent = currentNode.parentElement ?? element;
    const { color, fontWeight, fontSize, fontFamily } = getComputedStyle(parent);
    const isRight = getComputedStyle(parent.closest("th, td") ?? parent).textAlign === "right";
    for (const { 0: text, index } of (currentNode.textContent ?? "").matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(currentNode, index);
      range.setEnd(currentNode, index + text.length);
      const font = `${fontWeight} ${fontSize} ${fontFamily}`;
      words.push({ text, box: range.getBoundingClientRect(), color, font, isRight });
    }
  }
  return words;
}

// Labels can reach over the edges of the drawing.
function wholeBox(svg: SVGSVGElement) {
  const { width, height } = svg.getBoundingClientRect();
  const bounds = svg.getBBox();
  const [x, y] = [Math.min(0, bounds.x), Math.min(0, bounds.y)];
  return {
    x,
    y,
    width: Math.max(width, bounds.x + bounds.width) - x,
    height: Math.max(height, bounds.y + bounds.height) - y,
  };
}

// Puts as many on each line as fit.
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

// The image can't use the page's fonts either, and another font has other widths.
async function pageFont() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const family = getComputedStyle(document.body).fontFamily.split(",")[0];
  for (const rule of rules) {
    if (!(rule instanceof CSSFontFaceRule) || rule.style.getPropertyValue("font-family") !== family) continue;
    const path = /url\("?([^")]+)/.exec(rule.style.getPropertyValue("src"))?.[1];
    if (path === undefined) continue; // a fallback on this computer
    const font = await (await fetch(new URL(path, rule.parentStyleSheet?.href ?? document.baseURI))).blob();
    return `@font-face { font-family: ${family}; font-weight: 100 900; src: url("${await readAsDataUrl(font)}"); }`;
  }
  return "";
}

const readAsDataUrl = (content: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });

// The image of an SVG has no style sheets, so computed styles are written into its elements.
async function drawImage(svg: SVGSVGElement, { x, y, width, height }: ReturnType<typeof wholeBox>) {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error("This isn't a drawing.");
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const computed = getComputedStyle(original);
    for (const name of styles) element.style.setProperty(name, computed.getPropertyValue(name));
  });
  // The image doesn't show marks that follow the pointer.
  for (const transient of copy.querySelectorAll(".recharts-tooltip-cursor, .recharts-active-dot")) transient.remove();
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
