/** The order in which a result has the values of a day or its parts: what is not given comes last. */
export function comparePlaces(one: unknown, other: unknown) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  return (
    Number(typeof one !== "number" && typeof one !== "string") -
    Number(typeof other !== "number" && typeof other !== "string")
  );
}
