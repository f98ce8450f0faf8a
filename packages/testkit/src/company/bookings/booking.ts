/** A booking of a room, or of a desk in a zone. */
export interface Booking {
  /** From 1, in the order of the days. */
  number: number
  space: number
  day: number
  /** Local minutes of the day. */
  start: number
  end: number
  person: number
  attendees: number
  /** Someone came. If not, and the booking was not cancelled, it is a no-show. */
  isCheckedIn: boolean
  isCancelled: boolean
  /** The weekly series that it is part of, from 1; 0 for a single one. */
  series: number
}

export const isNoShow = ({ isCheckedIn, isCancelled }: Booking): boolean => !isCheckedIn && !isCancelled
