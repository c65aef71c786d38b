import { expect, test } from "bun:test";
import { acceptsGzip } from "../../../src/http/plugins/compression.ts";

test.each([
  [null, false],
  ["", false],
  ["gzip", true],
  ["gzip, deflate, br", true],
  ["br, gzip;q=0.8", true],
  ["x-gzip", true],
  ["GZIP", true],
  ["*", true],
  ["gzip;q=0", false],
  ["gzip;q=0.000, *", false],
  ["*;q=0", false],
  ["identity", false],
])("acceptsGzip(%p) is %p", (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});
