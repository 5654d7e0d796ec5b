/** The tenant of calls that name none. */
export const noTenant = '00000000-0000-0000-0000-000000000000';
