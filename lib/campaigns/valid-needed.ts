/** How many valid signatures leave the required ones with a margin, after the office has rejected its share; in percent. */
export function validNeeded({ required, margin, rejection }: { required: number; margin: number; rejection: number }) {
  return Math.ceil((required * (1 + margin / 100)) / (1 - rejection / 100) - 1e-9);
}
