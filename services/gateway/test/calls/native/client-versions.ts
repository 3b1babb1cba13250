/** Version text that a client of each version sends. */
export const clientVersions = { 3: '390001', 4: '443000', 5: '5.5.6', 6: '6.9.2', 8: '8.0.0' } as const;
