import { Input, Textarea } from '../../../ui/form/controls.tsx'
import { FormField } from '../../../ui/form/form-field.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import type { FormProps } from './form-props.ts'

/** Holidays, closures, kinds of days whose effect is learned, and an id for later. */
export const CalendarFields = ({ form }: FormProps) => (
  <Stack>
    <FormField
      form={form}
      name="holidays"
      label="Holidays"
      isOptional
      hint="Dates separated by commas or line breaks, as 2026-12-25."
    >
      <Textarea isMono rows={2} placeholder="2026-12-25, 2026-12-26" />
    </FormField>
    <FormField
      form={form}
      name="closures"
      label="Closures"
      isOptional
      hint="One a line: dates, and after a colon the groups that are closed. Without groups, all are."
    >
      <Textarea isMono rows={3} placeholder={'2026-12-24, 2026-12-31\n2026-11-27: north, south'} />
    </FormField>
    <FormField
      form={form}
      name="calendar"
      label="Kinds of days"
      isOptional
      hint="One a line: a name, a colon, and past and future dates. The effect is learned from the past ones."
    >
      <Textarea isMono rows={3} placeholder="bridge days: 2026-05-15, 2026-06-05" />
    </FormField>
    <FormField form={form} name="external_id" label="External id" isOptional hint="To find the run again by API.">
      <Input isMono style={{ maxWidth: '24rem' }} />
    </FormField>
  </Stack>
)
