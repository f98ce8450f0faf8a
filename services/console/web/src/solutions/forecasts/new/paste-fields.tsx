import { Input, Textarea } from '../../../ui/form/controls.tsx'
import { FormField } from '../../../ui/form/form-field.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import type { FormProps } from './form-props.ts'

/** Rows that are pasted from a spreadsheet. */
export const PasteFields = ({ form }: FormProps) => (
  <Stack>
    <FormField
      form={form}
      name="series"
      label="Rows"
      hint="One row a line: a time and a value, or a time, a group and a value; separated by comma, semicolon or tab."
    >
      <Textarea isMono rows={10} spellCheck={false} placeholder={'2026-11-02, 84\n2026-11-03, 97\n2026-11-04, 101'} />
    </FormField>
    <FormField form={form} name="timestamp_format" label="Time format if not ISO 8601" isOptional>
      <Input isMono placeholder="DD.MM.YYYY HH:mm" />
    </FormField>
  </Stack>
)
