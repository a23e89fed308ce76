import { render, screen } from "@testing-library/react";
import { it } from "vitest";
import { Field } from "@/components/ui/field";

it("names a field in its issue without saying that it is optional", () => {
  render(
    <Field id="password" label="Password (optional)" issue="must have at least 10 characters">
      <input id="password" />
    </Field>,
  );
  screen.getByLabelText("Password (optional)");
  screen.getByText("Password must have at least 10 characters.");
});
