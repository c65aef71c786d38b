import { type Address, parseAddress } from "#address";
import { HttpProblem } from "./http_problem.ts";

/**
 * Reads the address a client wrote.
 * @throws {HttpProblem} `invalid_ip`
 */
export function readAddress(input: string): Address {
  const address = parseAddress(input);
  if (address === undefined) throw new HttpProblem("invalid_ip", { data: { input } });
  return address;
}
