import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";

/** A person in a list, with the note about them. `repeats`: an earlier row is the same. */
export type ListedInvitee = {
  line: number;
  email: string;
  name: string | null;
  note: string | null;
  repeats?: string | null;
};

/** A list of people to invite, those with a note first. `isError`: the notes are problems that must be fixed. */
export function InviteesTable({
  rows,
  heading,
  isError = false,
}: {
  rows: ListedInvitee[];
  heading: string;
  isError?: boolean;
}) {
  const sorted = rows.toSorted((a, b) => Number(a.note === null) - Number(b.note === null) || a.line - b.line);
  return (
    <section aria-label="List of people" className="shrink-0 rounded-md border">
      <Table className="table-fixed text-sm">
        <thead>
          <tr>
            <TableHead className="w-14">Line</TableHead>
            <TableHead>Email</TableHead>
            <TableHead>{heading}</TableHead>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <TableRow key={rows.indexOf(row)} className="align-top">
              <TableCell className="text-muted-foreground">{row.line}</TableCell>
              <TableCell className="wrap-anywhere">
                {row.email}
                {row.name && <span className="block text-muted-foreground">{row.name}</span>}
              </TableCell>
              <TableCell
                className={
                  isError && row.note ? "wrap-anywhere text-destructive" : "wrap-anywhere text-muted-foreground"
                }
              >
                {row.note ?? (row.repeats ? "Duplicate, skipped" : "OK")}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
