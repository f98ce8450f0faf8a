import { useState } from 'react'
import { PageFrame } from '../shell/page-frame.tsx'
import { chooseTheme, readThemeChoice } from '../theme/theme.ts'
import { Page } from '../ui/page.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { DataSections } from './data-sections.tsx'
import { FeedbackSections } from './feedback-sections.tsx'
import { FormSections } from './form-sections.tsx'
import { FoundationSections } from './foundation-sections.tsx'

/** Shows every component and token of the design system. */
export function DesignPage() {
  const [theme, setTheme] = useState(readThemeChoice)
  return (
    <PageFrame>
      <main>
        <Page
          title="Design system"
          description="Every token and component of the console. Pages are made of these alone."
          actions={
            <Segmented
              label="Theme"
              value={theme}
              options={[
                { value: 'system', label: 'System' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
              onChange={(choice) => {
                chooseTheme(choice)
                setTheme(choice)
              }}
            />
          }
        >
          <FoundationSections />
          <FormSections />
          <DataSections />
          <FeedbackSections />
        </Page>
      </main>
    </PageFrame>
  )
}
