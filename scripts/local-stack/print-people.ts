import { demoPassword, demoPeople } from "./demo-data.ts";

/** Prints who can sign in to the demo, and where what it sends by e-mail lands. */
export function printPeople({ NEXT_PUBLIC_SUPABASE_URL }: Record<string, string>) {
  console.log(`\nSign in with the password ${demoPassword} as`);
  for (const { email, name, does } of demoPeople) console.log(`  ${email.padEnd(20)} ${name}, ${does}`);
  console.log(`\nE-mails land at ${NEXT_PUBLIC_SUPABASE_URL}/mail`);
}
