import { countryOfZone, zoneOfCountry } from '@wp/contracts'
import type { ComponentProps } from 'react'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../../ui/form/field.tsx'
import { browserLocale } from '../../../ui/format/number-signs.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import styles from '../datasets.module.css'

/** The answers about the place of new spaces. */
export interface PlaceDraft {
  /** A space that exists; empty for a new site; undefined before the person has chosen. */
  parentId: string | undefined
  site: string
  building: string
  country: string
  timezone: string
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Returns answers that are likely for the person: those of the browser, which does not tell the town. Where there are
 * buildings, which one is meant, or a new one, is for the person to say: another building would count the same people
 * twice.
 * @param parentId a building of other names in the file
 */
export function likelyPlace(parentId: string | undefined, hasBuildings: boolean): PlaceDraft {
  const timezone = browserZone()
  const country = countryOfZone.get(timezone) ?? new Intl.Locale(browserLocale()).region ?? ''
  return {
    parentId: parentId ?? (hasBuildings ? undefined : ''),
    site: '',
    building: 'Main building',
    country,
    timezone,
  }
}

const countries = [
  ...['AT', 'AU', 'BE', 'BG', 'BR', 'CA', 'CH', 'CN', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR', 'HR', 'HU'],
  ...['IE', 'IN', 'IT', 'JP', 'KR', 'LI', 'LT', 'LU', 'LV', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RO', 'RS', 'SE', 'SG'],
  ...['SI', 'SK', 'TR', 'UA', 'US', 'ZA'],
]
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

type ZoneSelectProps = Omit<ComponentProps<typeof Select>, 'options' | 'value' | 'onChange'> & {
  value: string
  onChange: (timezone: string) => void
}

export function ZoneSelect({ value, onChange, ...rest }: ZoneSelectProps) {
  const zones = timeZones.includes(value) ? timeZones : [value, ...timeZones]
  return (
    <Select
      {...rest}
      value={value}
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const undecided = 'undecided'

/** Asks where new floors and rooms lie. @param parents spaces that they can lie in */

export function PlaceFields({
  place,
  onChange,
  parents,
  building,
}: {
  place: PlaceDraft
  onChange: (place: PlaceDraft) => void
  parents: readonly { id: string; name: string }[]
  /** The name of the building in the file. */
  building: string | undefined
}) {
  const set = (part: Partial<PlaceDraft>) => onChange({ ...place, ...part })
  const regions = place.country === '' || countries.includes(place.country) ? countries : [place.country, ...countries]
  return (
    <>
      {parents.length > 0 && (
        <FieldRow>
          <Field label={building === undefined ? 'They are in' : `${isolate(building)} is in`}>
            <Select
              value={place.parentId ?? undecided}
              options={[
                ...(place.parentId === undefined ? [{ value: undecided, label: 'Choose where they are' }] : []),
                ...parents.map(({ id, name }) => ({ value: id, label: name })),
                { value: '', label: building === undefined ? 'A new building' : 'A new site, or none' },
              ]}
              onChange={(event) => set({ parentId: event.target.value })}
            />
          </Field>
        </FieldRow>
      )}
      {place.parentId === '' && (
        <div className={styles.roles}>
          <Field
            label={
              building === undefined || parents.length > 0 ? 'Town or site' : `Town or site of ${isolate(building)}`
            }
            isOptional
          >
            <Input value={place.site} maxLength={200} onChange={(event) => set({ site: event.target.value })} />
          </Field>
          {building === undefined && (
            <Field label="Building">
              <Input
                value={place.building}
                maxLength={200}
                onChange={(event) => set({ building: event.target.value })}
              />
            </Field>
          )}
          <Field label="Country">
            <Select
              value={place.country}
              options={[
                { value: '', label: 'Not stated' },
                ...regions
                  .map((region) => ({ value: region, label: countryNames.of(region) ?? region }))
                  .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
              ]}
              onChange={({ target: { value: country } }) =>
                set({ country, timezone: zoneOfCountry.get(country) ?? place.timezone })
              }
            />
          </Field>
          <Field label="Time zone">
            <ZoneSelect value={place.timezone} onChange={(timezone) => set({ timezone })} />
          </Field>
        </div>
      )}
    </>
  )
}
