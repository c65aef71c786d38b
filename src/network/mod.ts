/** What the tables and lists say about the addresses of a prefix and of an AS, without a query. */
export { createNetworks, type Networks, neighbourhoodOf, parseAsn } from "./create_networks.ts";
