import { expect, test } from "bun:test";
import { classifyReverseName } from "../../src/evidence/reverse_names.ts";

test.each([
  ["p5b0d7f3a.dip0.t-ipconnect.de", "residential"],
  ["198-51-100-7.dynamic.example.net", "residential"],
  ["198-51-100-7.dsl.static.example.net", "residential"],
  ["198-51-100-7.static.example.net", "business"],
  ["lte-198-51-100-7.example.net", "mobile"],
  ["ec2-198-51-100-7.compute-1.amazonaws.com", "hosting"],
  ["vps1234.example.net", "hosting"],
  ["srv7.example-hosting.com", "hosting"],
  ["mail.example.com", "infrastructure"],
  ["ae-3.cr1.fra.example.net", "infrastructure"],
  ["lab7.cs.example.edu", "education"],
  ["lab7.example.ac.uk", "education"],
  ["office.example.gov", "government"],
  ["www.example.com", undefined],
  ["host-198-51-100-7.example.com", undefined],
  ["localhost", undefined],
  ["-", undefined],
  ["a".repeat(70_000), undefined],
] as const)("%.60s is %s", (name, kind) => {
  expect(classifyReverseName(name)).toBe(kind);
});
