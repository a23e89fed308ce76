import { demoPassword, demoPeople } from "./demo-data.ts";

/** Prints who can sign in to the demo. */
export function printPeople() {
  console.log(`\nSign in with the password ${demoPassword} as`);
  for (const { email, name, does } of demoPeople) console.log(`  ${email.padEnd(20)} ${name}, ${does}`);
}
