/** What is wrong with a field, beside it. The field names it by `aria-describedby`. */
export function Problem({ id, children }: { id: string; children: string | undefined }) {
  return (
    <p id={id} role="status" className="text-destructive text-xs empty:hidden">
      {children}
    </p>
  );
}
