import { useState } from 'react'
import { Button, Icon, IconButton } from '../ui/button/button.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/filter/filter-bar.tsx'
import { Checkbox, Input, Radio, Select, Textarea } from '../ui/form/controls.tsx'
import { DropZone } from '../ui/form/drop-zone.tsx'
import { Field, FieldGroup, FieldRow, FormActions } from '../ui/form/field.tsx'
import { ActionMenu } from '../ui/menu/menu.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Card, Cluster } from '../ui/page/page.tsx'

/** Buttons, fields and filters. */
export function FormSections() {
  const [text, setText] = useState<string>()
  const [status, setStatus] = useState<string>()
  return (
    <>
      <Card title="Buttons">
        <Cluster>
          <Button variant="primary">Create key</Button>
          <Button>Cancel</Button>
          <Button variant="danger">Delete 3 keys</Button>
          <Button variant="quiet">Clear filters</Button>
          <Button variant="primary" isBusy>
            Saving
          </Button>
          <Button disabled>Not allowed</Button>
          <Button size="small">Small</Button>
          <IconButton label="Refresh">
            <Icon name="refresh" />
          </IconButton>
          <ActionMenu
            label="Actions of the example"
            entries={[
              { label: 'Rename', icon: 'pencil', onSelect: () => showSuccess('Renamed') },
              'separator',
              { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => showSuccess('Deleted') },
            ]}
          />
        </Cluster>
      </Card>
      <Card title="Fields" description="The hint stands above the control, the error below it.">
        <div style={{ display: 'grid', gap: 'var(--space-4)' }}>
          <FieldRow>
            <Field label="Name" hint="Shown in lists">
              <Input defaultValue="Production" />
            </Field>
            <Field label="Endpoint" error="Enter an address that begins with https://">
              <Input defaultValue="http://example.com" isMono />
            </Field>
          </FieldRow>
          <FieldRow>
            <Field label="Role">
              <Select
                options={[
                  { value: 'member', label: 'Member' },
                  { value: 'admin', label: 'Admin' },
                ]}
              />
            </Field>
            <Field label="Disabled">
              <Input disabled defaultValue="Set by the operator" />
            </Field>
          </FieldRow>
          <Field label="Description" isOptional>
            <Textarea placeholder="What is this for?" />
          </Field>
          <FieldGroup label="Scopes">
            <Checkbox label="data:read" hint="Read sources and records" defaultChecked />
            <Checkbox label="data:write" hint="Change sources and records" />
          </FieldGroup>
          <FieldGroup label="Overlap">
            <Radio name="overlap" label="24 hours" hint="Both secrets work for a day" defaultChecked />
            <Radio name="overlap" label="None" hint="The old secret stops working at once" />
          </FieldGroup>
          <FormActions>
            <Button>Cancel</Button>
            <Button variant="primary">Save</Button>
          </FormActions>
        </div>
      </Card>
      <Card title="Filters" isFlush>
        <FilterBar
          isLocal
          {...((text !== undefined || status !== undefined) && {
            onClear: () => {
              setText(undefined)
              setStatus(undefined)
            },
          })}
        >
          <TextFilter label="Search" isSearch value={text} onChange={setText} placeholder="Request id" />
          <SelectFilter label="Status" value={status} onChange={setStatus} options={['delivered', 'failed']} />
        </FilterBar>
      </Card>
      <Card title="Files">
        <DropZone label="Drop a CSV, NDJSON or JSON file here" accept=".csv" onFiles={() => showSuccess('Received')} />
      </Card>
    </>
  )
}
