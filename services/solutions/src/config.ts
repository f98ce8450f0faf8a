import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /**
   * Concurrent runs per process; one of a million rows uses up to 750 MiB, its thread included. One workspace has a
   * quarter, at least one, while others wait.
   */
  FORECAST_CONCURRENCY: integer(1, 32).default(4),
  /**
   * Threads of low priority in which the series of all runs are forecast, one at a time; the workspaces with runs share
   * them. Default: one fewer than there are processors, from 1 to 4.
   */
  FORECAST_THREADS: integer(1, 32).optional(),
  /** Maximum rows of a source per run. Three million in one series exceed the memory of a thread, 512 MiB. */
  FORECAST_MAX_ROWS: integer(1, 2_000_000).default(1_000_000),
  /** Concurrent reads of datasets, and counts of workspaces, per process; one workspace has one of each at a time. */
  WORKPLACE_CONCURRENCY: integer(1, 16).default(2),
  /** Concurrent scenarios per process; one of 200 teams and 30 floors uses up to 500 MiB. */
  SCENARIO_CONCURRENCY: integer(1, 8).default(1),
  /** TrueType or OpenType font for reports of scenarios, such as Noto Sans CJK. Default DejaVu Sans. */
  REPORT_FONT_FILE: z.string().optional(),
  /** Lease of a running job; renewed every third of it. */
  JOB_LEASE_SECONDS: integer(1, 600).default(15),
})

export type Config = z.output<typeof config>
