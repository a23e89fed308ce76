/** Saves a file on the device. Characters that file systems refuse become `-`. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The name of a file with the numbers of a chart under a filter, which isn't too long for it. */
export function fileName(name: string, filterText: string | null): string {
  return filterText ? `${name} ${filterText.replaceAll(" · ", " - ").slice(0, 120).trim()}` : name;
}
