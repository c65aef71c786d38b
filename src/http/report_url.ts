/** Paths and URLs of reports are made in one place, so that a page and the API give the same ones. */
export { comparePathOf, reportPathOf, reportUrlOf } from "#render";
