import { useApi, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Input, Radio, Textarea } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { FormField } from '../../../ui/form/form-field.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { Stack } from '../../../ui/page/page.tsx'
import type { FormProps } from './form-props.ts'
import { useGroupValues } from './use-group-sample.ts'

/** No capacity, one for each group, or one a group. */
export function CapacityFields({ form }: FormProps) {
  const kind = form.watch('capacity_kind')
  const choose = form.register('capacity_kind', { onChange: () => form.setValue('capacity', '') })
  return (
    <Stack>
      <FieldGroup label="How full a group can be">
        <Radio {...choose} value="none" label="None: compare with the usual peak" />
        <Radio {...choose} value="all" label="One number for each group" />
        <Radio {...choose} value="groups" label="A number of its own for each group" />
      </FieldGroup>
      {kind === 'all' && (
        <FormField form={form} name="capacity" label="Number">
          <Input type="number" min={0} step="any" style={{ maxWidth: '12rem' }} />
        </FormField>
      )}
      {kind === 'groups' && (
        <>
          <FormField
            form={form}
            name="capacity"
            label="Numbers by group"
            hint="One group a line. The values of several columns are joined by a slash: house/1."
          >
            <Textarea isMono rows={6} spellCheck={false} placeholder={'north = 120\nsouth = 80'} />
          </FormField>
          {form.watch('origin') === 'source' && <InsertGroups form={form} />}
        </>
      )}
    </Stack>
  )
}

/** Writes a line for each group that the newest records have. */
function InsertGroups({ form }: FormProps) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const [sourceId, groupBy] = form.watch(['data_source_id', 'group_by'])
  const field = groupBy.length === 1 ? groupBy[0] : undefined
  const { data: values = [] } = useGroupValues(api, workspaceId, sourceId, field)
  if (values.length === 0) return null
  return (
    <div>
      <Button
        size="small"
        onClick={() => {
          const text = form.getValues('capacity')
          const missing = values.filter((value) => !text.split('\n').some((line) => line.startsWith(`${value} =`)))
          form.setValue('capacity', [text.trim(), ...missing.map((value) => `${value} = `)].filter(Boolean).join('\n'))
        }}
      >
        Insert {formatCount(values.length, 'group')} of the data
      </Button>
    </div>
  )
}
