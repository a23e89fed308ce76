import { configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { clearQueries } from "@/components/shell/use-query";

configure({ asyncUtilTimeout: 5_000 }); // a busy machine is slow

afterEach(clearQueries); // answers of one test must not reach the next
