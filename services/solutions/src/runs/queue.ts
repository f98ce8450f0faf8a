import { countQueuedJobs } from '@wp/database'

/** The job queue of forecast runs. */
export const forecastQueue = 'forecast'

export const forecastRunQuota = countQueuedJobs('forecast_run', forecastQueue)
