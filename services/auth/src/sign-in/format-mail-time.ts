import type { MailReader } from '../store/users.ts'

/** Writes a time for the reader of a mail, in their zone: `29 Nov 2026, 21:52 CET`; without one, in UTC. */
export const formatMailTime = (time: Date | number, { locale, timezone }: MailReader): string =>
  new Intl.DateTimeFormat(locale ?? 'en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone ?? 'UTC',
    timeZoneName: 'short',
  }).format(time)
