import { describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { SOURCES } from "#sources";
import { UpstreamError } from "#upstream";
import READINGS from "../../fixtures/source_readings.json";

/** An answer, what the source reads from it (null: nothing; a text: the error), and the address if it is another one. */
type Row = readonly [answer: unknown, expected: unknown, address?: string];

describe.each(Object.entries(READINGS as object as Readonly<Record<string, Record<string, readonly Row[]>>>))(
  "%s",
  (id, cases) => {
    const source = SOURCES.find((one) => one.id === id) ?? expect.unreachable(id);

    test.each(Object.entries(cases))("%s", (_, rows) => {
      for (const [answer, expected, text = "203.0.113.7"] of rows)
        expect(readOrError(answer, text), JSON.stringify(answer)).toEqual(expected);
    });

    function readOrError(answer: unknown, text: string): unknown {
      try {
        return source.read({ body: undefined, ...(answer as object) }, readAddress(text)) ?? null;
      } catch (error) {
        if (error instanceof UpstreamError) return `${error.name}: ${error.message}`;
        throw error;
      }
    }
  },
);
