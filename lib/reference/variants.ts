import { codeHostingVariants } from './code-hosting/variants.ts'
import { entryNamed } from './entry-named.ts'
import { eventPublishingVariants } from './event-publishing/variants.ts'
import { incidentStatusVariants } from './incident-status/variants.ts'
import type { Environment, VariantTraits } from './service-variation.ts'
import type { Variant } from './variant.ts'
import { furtherFieldVariants } from './variants/further-fields.ts'
import { gatewayVariants } from './variants/gateways.ts'
import { transferVariants } from './variants/transfer.ts'

function variantsOf<
  Service extends 'codeHosting' | 'eventPublishing' | 'incidentStatus',
  Variation extends NonNullable<Variant[Service]>,
>(service: Service, serviceVariants: readonly (VariantTraits & Variation)[]): readonly Variant[] {
  return serviceVariants.map(
    ({ name, verdict, basePath, tolerances, unjudged, becoming, ...variation }) => ({
      name,
      verdict,
      basePath,
      tolerances,
      unjudged,
      becoming,
      [service]: variation,
    }),
  )
}

function baseUrlAlone(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.endsWith('_BASE_URL')),
  )
}

/** Every conforming deployment that the reference can be started as. */
export const variants: readonly Variant[] = [
  ...variantsOf('codeHosting', codeHostingVariants),
  ...variantsOf('eventPublishing', eventPublishingVariants),
  ...variantsOf('incidentStatus', incidentStatusVariants),
  ...transferVariants,
  ...furtherFieldVariants,
  ...gatewayVariants,
  {
    name: 'event-and-incident-base-urls-alone',
    // In these two alone nothing would be judged.
    codeHosting: {},
    eventPublishing: { environment: baseUrlAlone },
    incidentStatus: { environment: baseUrlAlone },
  },
]

/** @throws Error when there is none of that name */
export function variantNamed(name: string): Variant {
  return entryNamed('variant', variants, name)
}
