/** Formats a local date for people: `Tuesday, 1 December`. */
export const formatDay = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
