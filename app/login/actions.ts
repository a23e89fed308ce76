"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { nextPath } from "@/lib/auth/next-path";
import { signIn } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";

const credentials = z.object({
  email: z.string().trim().pipe(z.email("Write an e-mail address, such as ada@example.org.")),
  password: z.string().min(1, "Write your password."),
  next: z.string().default("/"),
});

/** Signs in and goes to `next`, or says why not. */
export async function submitSignIn(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, {
    schema: credentials,
    keep: ["email"],
    run: async ({ email, password, next }) => {
      await signIn({ email, password });
      redirect(nextPath(next));
    },
  });
}

/** Signs out and goes to the sign-in page. */
export async function submitSignOut(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, {
    schema: z.object({}),
    run: async () => {
      await signOut();
      redirect("/login");
    },
  });
}
