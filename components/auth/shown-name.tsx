import { Suspense } from "react";
import { readName } from "@/lib/auth/account";
import type { Session } from "@/lib/auth/get-session";

/** The name of the signed-in person for the page menu; their email until it is read, because it must not delay a page. */
export function ShownName({ person }: { person: Session }) {
  return (
    <Suspense fallback={person.email}>
      <Name person={person} />
    </Suspense>
  );
}

const Name = ({ person }: { person: Session }) => readName(person).catch(() => person.email);
