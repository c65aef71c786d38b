import { describe, expect, test } from "bun:test";
import { classifyName } from "../../src/evidence/usage.ts";

describe("classifyName()", () => {
  test.each([
    ["Example Data Centers, Inc.", "hosting"],
    ["EXAMPLE-IDC2", "hosting"],
    ["Exampleservers.net", "hosting"],
    ["Example Hospedagem Ltda", "hosting"],
    ["Example Rechenzentrum GmbH", "hosting"],
    ["Examplecloud Technology Co., Ltd", "hosting"],
    ["Amazon.com, Inc.", "hosting"],
    ["Example State University Data Center", "education"],
    ["Politechnika Example", "education"],
    ["Uniwersytet Example w Example", "education"],
    ["Institut Teknologi Example", "education"],
    ["Fachhochschule Example", "education"],
    ["Example Unified School District", "education"],
    ["Gobierno de Example", "government"],
    ["Tribunal de Justica do Estado de Example", "government"],
    ["Ministère de l'Example", "government"],
    ["Prefeitura Municipal de Example", "government"],
    ["Example Mobile Communications S.A.", "mobile"],
    ["Example Mobile Telephone Company", "mobile"],
    ["NE EXAMPLE CELLULAR INC", "mobile"],
    ["Example Broadband Cloud", "residential"],
  ] as const)("reads %p as %p", (name, use) => {
    expect(classifyName(name)).toBe(use);
  });

  test.each([
    "Observers Ltd",
    "Example Route-Servers Association",
    "Example Cloud Telecom Ltda",
    "CloudExample Communications, Inc.",
    "Alibaba Travel Company (LTD)",
    "Big Data Center of Example Province",
    "Example Mobile Security AB",
    "Mobile Video Example Inc",
    "Sony Mobile Communications AB",
    "Urban Mobility Center",
    "The Ministry of Example Inc.",
    "Example Government Services, Inc.",
    "Universal Example Networks",
    "Orchestra Example",
    "",
  ])("finds no use in %p", (name) => {
    expect(classifyName(name)).toBeUndefined();
  });

  test("reads only the beginning of a long name", () => {
    expect(classifyName(`${"a ".repeat(90)}hosting`)).toBe("hosting");
    expect(classifyName(`${"a ".repeat(100)}hosting`)).toBeUndefined();
  });
});
