/** What the tables and lists say about the addresses of a prefix and of an AS, without a query. */
export { createNetworks, type Networks } from "./create_networks.ts";
export * from "./read_network.ts";
