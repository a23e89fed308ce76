const revokeDelayMs = 1000; // the browser reads the file after the click

/** Saves a file on the device. Commas are left out; characters that file systems refuse become `-`. */
export function saveFile(name: string, content: Blob) {
  const objectUrl = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = objectUrl;
  link.download = name.replaceAll(",", "").replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(objectUrl), revokeDelayMs);
}

/** The name of a file with a chart's numbers: the chart's name and at most 120 characters of its filter. */
export function fileName(name: string, filterText: string | null): string {
  return filterText ? `${name} ${filterText.replaceAll(" · ", " - ").slice(0, 120).trim()}` : name;
}
