import type { EventFilter } from '@wp/contracts'
import { useState } from 'react'
import { Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { filterError, formatFilter, parseFilter, type TypedFilter } from '../shared/filter-text.ts'

/** The filter of a subscription, as JSON. @param errors those of the form, by member */
export function FilterField({
  initial,
  onChange,
  errors,
}: {
  initial: EventFilter | null
  onChange: (value: TypedFilter) => void
  errors: unknown
}) {
  const [text, setText] = useState(() => formatFilter(initial))
  return (
    <Field
      label="Filter"
      isOptional
      hint="Conditions on the payload, as JSON. Only events that match all of “all” and one of “any” are delivered."
      error={filterError(parseFilter(text), errors)}
    >
      <Textarea
        isMono
        rows={4}
        spellCheck={false}
        placeholder='{"all": {"counts.failed": {"gt": 0}}}'
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChange(parseFilter(event.target.value))
        }}
      />
    </Field>
  )
}
