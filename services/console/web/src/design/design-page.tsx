import { PageFrame } from '../shell/page-frame.tsx'
import { ThemeChoice } from '../ui/menu/theme-choice.tsx'
import { Page } from '../ui/page/page.tsx'
import { DataSections } from './data-sections.tsx'
import { FeedbackSections } from './feedback-sections.tsx'
import { FormSections } from './form-sections.tsx'
import { FoundationSections } from './foundation-sections.tsx'

/** Shows every component and token of the design system. */
export function DesignPage() {
  return (
    <PageFrame>
      <main>
        <Page
          title="Design system"
          description="Every token and component of the console. Pages are made of these alone."
          actions={<ThemeChoice />}
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
