/**
 * Why a database was not saved, restored or looked through: nothing there, a file in the way, another process at work
 * on it, damage or foreign matter in it, no room or right to write, or nothing of the kind can be done here.
 */
export type MaintenanceProblem = "missing" | "exists" | "in_use" | "damaged" | "unwritable" | "unsupported";

/** Something that was not done to a database, which is as it was before. */
export class MaintenanceError extends Error {
  readonly problem: MaintenanceProblem;

  constructor(problem: MaintenanceProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MaintenanceError";
    this.problem = problem;
  }
}
