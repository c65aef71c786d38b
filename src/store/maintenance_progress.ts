/** How far something long has come: what is being done, and of how many rows. `of` is absent where nobody knows. */
export interface MaintenanceProgress {
  readonly doing: string;
  readonly done: number;
  readonly of?: number;
}

/** Is told now and then how far something has come. */
export type ReportProgress = (progress: MaintenanceProgress) => void;
