/**
 * Who may ask: who the client is behind trusted proxies, and the sliding windows that limit it.
 * Pure apart from the state of the windows; the clock enters as an argument.
 */
export type { Client, ClientRules } from "./client.ts";
export { createGate, type Gate, type GateOptions } from "./create_gate.ts";
export { createWindow, type WindowOptions } from "./create_window.ts";
export { readClient } from "./read_client.ts";
export type { Taken, Window } from "./window.ts";
