const minWidth = 480; // px

/**
 * What a card draws, as a PNG: title, drawing, legend and notes, none of it cut off. Null while nothing is drawn, as in a
 * table or while the drawing loads.
 */
export async function chartPng(card: HTMLElement, title: string, notes: string[]): Promise<Blob | null> {
  const drawing = card.querySelector<HTMLElement>("[data-drawing]");
  if (!drawing?.querySelector("svg")) return null;
  const { width, height } = drawing.getBoundingClientRect();
  const { toBlob } = await import("html-to-image");

  const page = document.createElement("div");
  page.className = "flex flex-col gap-3 bg-background p-6 text-xs";
  page.style.width = `${Math.max(width, minWidth) + 48}px`;
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return null;
  copy.className = "shrink-0";
  copy.style.width = `${width}px`;
  copy.style.height = `${height}px`;
  const legends = [...card.querySelectorAll("[data-legend]")].map((legend) => legend.cloneNode(true));
  const own = [...card.querySelectorAll("[data-note]")].map(({ textContent }) => textContent);
  page.append(
    textElement(title, "font-semibold text-base"),
    copy,
    ...legends,
    ...[...own, ...notes].map((note) => textElement(note, "text-muted-foreground")),
  );
  // Names are written in full, and what follows the pointer is left out.
  for (const cut of page.querySelectorAll(".truncate")) cut.classList.remove("truncate");
  for (const item of page.querySelectorAll("li")) item.classList.remove("max-w-48");
  for (const passing of page.querySelectorAll(passingParts)) passing.remove();

  const frame = document.createElement("div");
  frame.className = "fixed top-0 left-full"; // outside of the window, where styles apply all the same
  frame.append(page);
  document.body.append(frame);
  try {
    return await toBlob(page, { pixelRatio: 2 }); // sharp in print
  } finally {
    frame.remove();
  }
}

const passingParts = ".recharts-tooltip-wrapper, .recharts-tooltip-cursor, .recharts-active-dot";

function textElement(text: string, className: string) {
  const element = document.createElement("p");
  element.className = `wrap-anywhere ${className}`;
  element.textContent = text;
  return element;
}
