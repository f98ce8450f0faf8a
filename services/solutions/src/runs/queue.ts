/** The job queue of forecast runs. */
export const forecastQueue = 'forecast'
