const pad = (value: number): string => String(value).padStart(2, '0')

/** Converts a time of the API to the value of an `<input type="datetime-local">`, in the zone of the reader. */
export function toLocalInput(time: string | undefined): string | undefined {
  const at = new Date(time ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return undefined
  const date = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${date}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/**
 * Converts the value of an `<input type="datetime-local">` to a time of the API. @returns undefined if it is no time
 */
export function fromLocalInput(text: string | undefined): string | undefined {
  const at = new Date(text ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
