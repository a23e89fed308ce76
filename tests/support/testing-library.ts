import { configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { clearQueries } from "@/components/shell/use-query";

configure({ asyncUtilTimeout: 5_000 }); // a busy machine takes its time over each pause

afterEach(clearQueries); // no answer outlasts a test
