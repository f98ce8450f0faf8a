import type { Reader, Site, Space } from './company.ts'

type SiteName = 'BER' | 'MUC' | 'MAN'

export interface SitePlan extends Site {
  code: SiteName
  name: string
  /** Places of a floor, if 1,800 people have 12 floors. */
  floorCapacity: number
  roomsPerFloor: number
  /** Whole units of the currency for one place of a floor. */
  rentPerPlace: number
  servicesPerPlace: number
}

const germany = { country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR', opens: 420, closes: 1200 }
const sites: readonly SitePlan[] = [
  {
    code: 'BER',
    name: 'Berlin',
    ...germany,
    subdivision: 'BE',
    schoolHolidays: ['07-24', '09-06'],
    floorCapacity: 100,
    roomsPerFloor: 3,
    rentPerPlace: 5_200,
    servicesPerPlace: 2_900,
  },
  {
    code: 'MUC',
    name: 'Munich',
    ...germany,
    subdivision: 'BY',
    schoolHolidays: ['08-01', '09-15'],
    floorCapacity: 90,
    roomsPerFloor: 2,
    rentPerPlace: 6_400,
    servicesPerPlace: 3_100,
  },
  {
    code: 'MAN',
    name: 'Manchester',
    country: 'GB',
    subdivision: 'ENG',
    timezone: 'Europe/London',
    currency: 'GBP',
    opens: 480,
    closes: 1140,
    schoolHolidays: ['07-23', '09-01'],
    floorCapacity: 85,
    roomsPerFloor: 2,
    rentPerPlace: 3_800,
    servicesPerPlace: 2_200,
  },
]

export interface SpacePlan {
  spaces: Space[]
  readers: Reader[]
  /** The floors of each site, in the order of the sites. */
  floorsOf: number[][]
  /** The zones of each floor; none on most floors. */
  zonesOf: Map<number, number[]>
}

/** Creates sites, buildings, floors, zones and rooms, with a badge reader or two at each floor and zone. */
export function planSpaces(floors: number, placesPerFloor: number): SpacePlan {
  const plan: SpacePlan = { spaces: [], readers: [], floorsOf: [], zonesOf: new Map() }
  const manchester = Math.max(1, Math.floor(floors / 6))
  const munich = Math.max(1, Math.floor(floors / 3))
  const counts = { BER: floors - munich - manchester, MUC: munich, MAN: manchester }
  for (const site of sites) addSite(plan, site, counts[site.code], placesPerFloor)
  return plan
}

const nothing = { capacity: 0, areaM2: 0, annualRent: 0, annualServices: 0, avoidablePercent: 0 }

function addSite(plan: SpacePlan, site: SitePlan, floors: number, scale: number): void {
  const { code, name, floorCapacity, roomsPerFloor, rentPerPlace, servicesPerPlace, ...settings } = site
  const root = plan.spaces.push({ id: code, name, kind: 'site', parent: -1, ...nothing, site: settings }) - 1
  // Two thirds of the floors of Berlin are in its first building, all floors of the others in their only one.
  const inFirst = code === 'BER' ? Math.ceil((floors * 2) / 3) : floors
  const capacity = Math.max(1, Math.round(floorCapacity * scale))
  const found: number[] = []
  for (let number = 1, building = root; number <= floors; number += 1) {
    const letter = number <= inFirst ? 'A' : 'B'
    const level = number <= inFirst ? number : number - inFirst
    if (level === 1)
      building =
        plan.spaces.push({
          id: `${code}-${letter}`,
          name: `${name} ${letter}`,
          kind: 'building',
          parent: root,
          ...nothing,
        }) - 1
    const id = `${code}-${letter}-${String(level).padStart(2, '0')}`
    const cost = {
      annualRent: capacity * rentPerPlace,
      annualServices: capacity * servicesPerPlace,
      avoidablePercent: 40,
    }
    const size = { capacity, areaM2: capacity * 12, ...cost }
    const floor = plan.spaces.push({ id, name: `Floor ${level}`, kind: 'floor', parent: building, ...size }) - 1
    found.push(floor)
    const door = `${code}/${letter}/OG${level}`
    // The reader of the second floor of Munich breaks, so it has only one.
    const doors = number % 3 === 0 ? ['Eingang Nord', 'Eingang Süd'] : ['Eingang']
    for (const label of doors) plan.readers.push({ name: `${door} ${label}`, space: floor })
    if (hasZones(code, number)) addZones(plan, floor, capacity, { id, level, door })
    // The last floor of Manchester has one room less: 29 rooms in all.
    const rooms = code === 'MAN' && number === floors ? roomsPerFloor - 1 : roomsPerFloor
    for (let room = 1; room <= rooms; room += 1)
      plan.spaces.push({
        ...nothing,
        id: `${id}-R${room}`,
        name: `Room ${level}.0${room}`,
        kind: 'room',
        parent: floor,
        capacity: 4 * room,
        areaM2: 10 * room,
      })
  }
  plan.floorsOf.push(found)
}

/** Four of twelve floors have zones. */
const hasZones = (code: SiteName, floor: number) =>
  (code === 'BER' && floor % 6 >= 3 && floor % 6 <= 4) ||
  (code === 'MUC' && floor % 4 === 1) ||
  (code === 'MAN' && floor % 2 === 0)

function addZones(
  { spaces, readers, zonesOf }: SpacePlan,
  floor: number,
  capacity: number,
  { id, level, door }: { id: string; level: number; door: string },
): void {
  const zones: number[] = []
  for (const [index, side] of ['Nord', 'Mitte', 'Süd'].entries()) {
    // The places of the zones add up to those of the floor.
    const places = Math.floor(capacity / 3) + (index < capacity % 3 ? 1 : 0)
    const size = { ...nothing, capacity: places, areaM2: places * 10 }
    const name = `Zone ${level}.${index + 1}`
    const zone = spaces.push({ id: `${id}-Z${index + 1}`, name, kind: 'zone', parent: floor, ...size }) - 1
    readers.push({ name: `${door} Zone ${side}`, space: zone })
    zones.push(zone)
  }
  zonesOf.set(floor, zones)
}
