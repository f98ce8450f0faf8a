/** A team of one day: where it is planned, and where it may sit. */
export interface SeatedTeam {
  /** Floors that it has places on, with the share of its people on each. */
  planned: readonly { floor: number; share: number }[]
  /** Open floors that it may sit on. */
  allowed: readonly number[]
}

/** People of one day, after everyone has looked for a place. */
export interface Seated {
  withoutPlace: number
  /** People on a floor that their team has no places on. */
  elsewhere: number
}

const rounding = 1e-6

/**
 * Returns a function that seats the people of a day: first where their team is planned, and those who find that floor
 * full on any open floor that their team may use. As few as possible stay without a place: people change floor for each
 * other where that helps.
 * Source: the augmenting paths of Ford & Fulkerson, *Maximal flow through a network*, Canadian Journal of Mathematics 8
 * (1956), on the graph of teams and floors. Longer than most functions: its steps share the arrays of a day.
 * @returns a function of the people of each team
 */
export function createSeating(
  teams: readonly SeatedTeam[],
  capacities: readonly number[],
): (people: ArrayLike<number>) => Seated {
  const floorCount = capacities.length
  const isPlanned = new Uint8Array(teams.length * floorCount)
  const isAllowed = new Uint8Array(teams.length * floorCount)
  for (const [team, { planned, allowed }] of teams.entries()) {
    for (const { floor } of planned) isPlanned[team * floorCount + floor] = 1
    for (const floor of allowed) isAllowed[team * floorCount + floor] = 1
  }
  // Those who have the least choice look first.
  const order = [...teams.keys()].sort((a, b) => (teams[a]?.allowed.length ?? 0) - (teams[b]?.allowed.length ?? 0))
  const isAlike = teams.every(({ allowed }) => allowed.join() === teams[0]?.allowed.join())
  const load = new Float64Array(floorCount)
  const seats = new Float64Array(teams.length * floorCount)
  const left = new Float64Array(teams.length)
  let elsewhere = 0

  /** Seats all as planned. @returns false if a floor is too full, or a team has no places */
  function seatAsPlanned(people: ArrayLike<number>): boolean {
    load.fill(0)
    let isEnough = true
    for (const [team, { planned }] of teams.entries()) {
      const present = people[team] ?? 0
      if (planned.length === 0 && present > rounding) isEnough = false
      for (const { floor, share } of planned) load[floor] = (load[floor] ?? 0) + share * present
    }
    for (let floor = 0; floor < floorCount; floor++)
      if ((load[floor] ?? 0) > (capacities[floor] ?? 0) + rounding) isEnough = false
    return isEnough
  }

  /** Sends those of a full floor away, and lets them look for free places. */
  function seatElsewhere(people: ArrayLike<number>): void {
    seats.fill(0)
    elsewhere = 0
    const stays = capacities.map((capacity, floor) => Math.min(1, capacity / Math.max(rounding, load[floor] ?? 0)))
    for (const [team, { planned }] of teams.entries()) {
      left[team] = people[team] ?? 0
      for (const { floor, share } of planned) sit(team, floor, share * (people[team] ?? 0) * (stays[floor] ?? 0))
    }
    for (let floor = 0; floor < floorCount; floor++) load[floor] = Math.min(load[floor] ?? 0, capacities[floor] ?? 0)
    let free = [...capacities.keys()].filter((floor) => placesOn(floor) > 0)
    for (const team of order) {
      if ((left[team] ?? 0) <= 0) continue
      for (const floor of free) {
        const places = Math.min(left[team] ?? 0, placesOn(floor))
        if (places <= 0 || isAllowed[team * floorCount + floor] === 0) continue
        sit(team, floor, places)
        load[floor] = (load[floor] ?? 0) + places
      }
      free = free.filter((floor) => placesOn(floor) > 0)
    }
    if (isAlike) return
    for (const team of order)
      while ((left[team] ?? 0) > rounding && capacities.some((_, floor) => placesOn(floor) > rounding))
        if (!changePlaces(team)) break
  }

  const placesOn = (floor: number): number => (capacities[floor] ?? 0) - (load[floor] ?? 0)

  function sit(team: number, floor: number, count: number): void {
    const at = team * floorCount + floor
    seats[at] = (seats[at] ?? 0) + count
    if (isPlanned[at] === 0) elsewhere += count
    left[team] = (left[team] ?? 0) - count
  }

  /** Seats some of a team on a full floor, whose people go on to another one that has places. */
  function changePlaces(start: number): boolean {
    const from = new Map<number, { team: number; floor: number | null }>() // by floor
    let teamsNow: { team: number; floor: number | null }[] = [{ team: start, floor: null }]
    const seen = new Set([start])
    while (teamsNow.length > 0) {
      const next: typeof teamsNow = []
      for (const step of teamsNow)
        for (const floor of teams[step.team]?.allowed ?? []) {
          if (from.has(floor)) continue
          from.set(floor, step)
          if (placesOn(floor) > rounding) return moveAlong(floor, from)
          for (const other of teams.keys())
            if (!seen.has(other) && (seats[other * floorCount + floor] ?? 0) > rounding) {
              seen.add(other)
              next.push({ team: other, floor })
            }
        }
      teamsNow = next
    }
    return false
  }

  function moveAlong(last: number, from: ReadonlyMap<number, { team: number; floor: number | null }>): boolean {
    let count = placesOn(last)
    const steps: { team: number; floor: number | null; to: number }[] = []
    for (let to: number | null = last; to !== null; ) {
      const step = from.get(to)
      if (step === undefined) return false
      steps.push({ ...step, to })
      count = Math.min(
        count,
        step.floor === null ? (left[step.team] ?? 0) : (seats[step.team * floorCount + step.floor] ?? 0),
      )
      to = step.floor
    }
    for (const { team, floor, to } of steps) {
      if (floor !== null) sit(team, floor, -count)
      sit(team, to, count)
    }
    load[last] = (load[last] ?? 0) + count
    return true
  }

  return (people) => {
    if (seatAsPlanned(people)) return { withoutPlace: 0, elsewhere: 0 }
    seatElsewhere(people)
    let withoutPlace = 0
    for (const count of left) withoutPlace += Math.max(0, count)
    return { withoutPlace, elsewhere }
  }
}
