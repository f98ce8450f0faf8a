/** The queue of forecast runs; a run is its job. */
export const queue = 'forecast'
