/** The definitions of the figures in `expected.json`, for its readers. */
export const definitions = {
  days: 'Index 0 is the first day. All times are local times of the site. Minutes are counted from midnight.',
  attendance: 'Different people with at least one stay in the space or below it on the day, however many swipes.',
  occupancy:
    'At a minute, the people in a stay in the space or below it. A stay lasts from the minute of the entry until the minute of the exit, which is not included. Without an exit it lasts until the next entry of the person, else until the opening hours of the space end (20:00 on a closed day), or until its entry if that is later. A person is in one space at a time: that of the last entry.',
  hours:
    'Opening hours are Monday to Friday, also on public holidays; at weekends the occupancy is null. hourlyPersonMinutes / 60 is the average occupancy of an hour, hourlyPeaks its highest occupancy at a minute.',
  dayAverage: 'personMinutes / minutes of the opening hours.',
  dayPeak: 'The highest of the hourly peaks. The peak of a parent is the peak of the sum.',
  measured:
    'Spaces and days on which the badge events show something else than what happened, because a reader recorded nothing. Everything outside this list is the same in both.',
  teams:
    'Attendance of a team: different members who came to any site, by the membership of that day, including the teams below. Headcount: members on that day. `until` of a membership is the first day that is no longer included.',
  coAttendance: 'Mean of attendance / headcount over the days on which at least one member came.',
  sharingRatio:
    'Headcount on the last day per desk needed. Desks needed are the highest day peak (spaces) or attendance (teams) on working days; with p90, the 90th percentile by nearest rank. Headcount of a space: people whose team has its home there or below. Working days: Monday to Friday without public holidays of the site.',
  noShows:
    'booked = used + noShows. A no-show was neither checked in nor cancelled. Cancelled bookings count in `cancelled` alone. Weekday 0 is Monday. Totals are of the space itself.',
  counts:
    'Passages of the door counter as exported, by day; the level is the sum since midnight of in - out. Passages that the counter missed let it drift. The camera exports people present at the time of the row; a broken camera exports 0.',
  closures:
    'Floors without a fixed team that can close on a weekday: on at least 95 % of the days without public holidays the attendance of the site is no more than the capacity of its other floors. People stay in their site. avoidableCost: annual rent and services times the avoidable share, in minor units.',
} as const
