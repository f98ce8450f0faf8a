import { useId } from 'react'
import { Input } from '../../ui/form/controls.tsx'

const zones = Intl.supportedValuesOf('timeZone')

/** An input of a time zone that suggests those of the browser. Its field passes the remaining properties. */
export function ZoneInput(props: Record<string, unknown>) {
  const listId = useId()
  return (
    <>
      <Input {...props} list={listId} placeholder="Europe/Berlin" autoComplete="off" />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** Returns the zone of the browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
