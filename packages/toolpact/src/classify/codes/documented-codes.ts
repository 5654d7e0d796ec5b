import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/**
 * Reads a code or name that a standard, a runtime or a service documents and whose words alone would say something else, or nothing.
 * All other documented codes are read by their words.
 */
export function readDocumentedCode(code: string): readonly Reading[] {
  return lookUp(codes, code);
}

const codes: CodeTable = {
  // POSIX and the resolver
  EAFNOSUPPORT: ['unsupported', 72],
  EALREADY: ['conflict', 72],
  ECONNABORTED: ['unreachable', 45], // clients also use it where they gave up on time
  EDESTRUCTION: ['not_ready', 72],
  EFBIG: ['too_large', 73],
  EHOSTDOWN: ['unreachable', 72],
  EINPROGRESS: ['not_ready', 72],
  EINTR: ['cancelled', 72],
  EIO: ['upstream', 72],
  EISCONN: ['conflict', 72],
  EISDIR: ['invalid_input', 72],
  ELOOP: ['invalid_input', 72],
  ENAMETOOLONG: ['invalid_input', 72],
  ENETDOWN: ['unreachable', 72],
  ENETRESET: ['unreachable', 72],
  ENFILE: ['too_large', 73],
  ENODEV: ['not_found', 72],
  ENOSYS: ['unsupported', 73],
  ENOTDIR: ['invalid_input', 72],
  ENOTINITIALIZED: ['not_ready', 72],
  ENOTSUP: ['unsupported', 73],
  ENXIO: ['not_found', 72],
  EOF: ['unreachable', 72],
  EOPNOTSUPP: ['unsupported', 73],
  EPROTONOSUPPORT: ['unsupported', 73],
  EROFS: ['forbidden', 75],
  ETXTBSY: ['conflict', 72],
  EWOULDBLOCK: ['not_ready', 72],

  // Node and undici
  ERR_FALSY_VALUE_REJECTION: ['internal', 80],
  ERR_FEATURE_UNAVAILABLE_ON_PLATFORM: ['unsupported', 73],
  ERR_HTTP2_ERROR: ['bad_response', 41],
  ERR_HTTP2_GOAWAY_SESSION: ['unreachable', 72],
  ERR_HTTP2_INVALID_SESSION: ['not_ready', 72],
  ERR_HTTP2_MAX_PENDING_SETTINGS_ACK: ['too_large', 73],
  ERR_HTTP2_SESSION_ERROR: ['unreachable', 72],
  ERR_HTTP2_SOCKET_BOUND: ['internal', 80],
  ERR_HTTP_HEADERS_SENT: ['internal', 80],
  ERR_HTTP_SOCKET_ASSIGNED: ['internal', 80],
  ERR_MEMORY_ALLOCATION_FAILED: ['too_large', 73],
  ERR_NO_CRYPTO: ['not_configured', 76],
  ERR_NO_ICU: ['not_configured', 76],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: ['not_configured', 76],
  ERR_PACKAGE_PATH_NOT_EXPORTED: ['not_configured', 76],
  ERR_REQUIRE_ESM: ['not_configured', 76],
  ERR_SOCKET_BUFFER_SIZE: ['too_large', 73],
  ERR_STREAM_PUSH_AFTER_EOF: ['not_ready', 72],
  ERR_STREAM_UNABLE_TO_PIPE: ['not_ready', 72],
  ERR_TLS_HANDSHAKE_TIMEOUT: ['timeout', 80],
  ERR_TRACE_EVENTS_UNAVAILABLE: ['unsupported', 73],
  ERR_UNHANDLED_ERROR: ['internal', 50],
  ERR_UNHANDLED_REJECTION: ['internal', 80],
  ERR_UNKNOWN_BUILTIN_MODULE: ['not_configured', 76],
  HOSTNAME_MISMATCH: ['unreachable-', 80],
  UND_ERR_INFO: ['unreachable', 72],
  Z_MEM_ERROR: ['too_large', 73],
  Z_VERSION_ERROR: ['bad_response', 80],

  // SQLite
  SQLITE_AUTH: ['forbidden', 75],
  SQLITE_BUSY: ['conflict+', 76],
  SQLITE_BUSY_SNAPSHOT: ['conflict+', 76],
  SQLITE_CANTOPEN: ['not_found', 72],
  SQLITE_CONSTRAINT_PRIMARYKEY: ['conflict', 72],
  SQLITE_FULL: ['budget_exhausted', 74],
  SQLITE_IOERR: ['upstream', 72],
  SQLITE_NOMEM: ['budget_exhausted', 74],
  SQLITE_PERM: ['forbidden', 75],
  SQLITE_TOOBIG: ['too_large', 73],

  // MySQL
  ER_CON_COUNT_ERROR: ['rate_limited', 74],
  ER_DUP_ENTRY: ['conflict', 72],
  ER_MUST_CHANGE_PASSWORD: ['unauthenticated', 75],
  ER_NET_READ_ERROR: ['unreachable', 72],
  ER_OPTION_PREVENTS_STATEMENT: ['forbidden', 75],
  ER_OUTOFMEMORY: ['budget_exhausted', 74],
  ER_OUT_OF_RESOURCES: ['budget_exhausted', 74],
  ER_RECORD_FILE_FULL: ['budget_exhausted', 74],
  ER_SOCKET_UNEXPECTED_CLOSE: ['unreachable', 72],
  ER_USER_LIMIT_REACHED: ['rate_limited', 74],
  POOL_NOCONNECTIONS: ['not_ready', 72],
  PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR: ['not_ready', 72],
  PROTOCOL_ENQUEUE_AFTER_QUIT: ['not_ready', 72],

  // MongoDB
  DollarPrefixedFieldName: ['invalid_input', 72],
  FailedToSatisfyReadPreference: ['unreachable', 72],
  ImmutableField: ['invalid_input', 72],
  MaxTimeMSExpired: ['timeout', 80],

  // Redis
  BUSYGROUP: ['conflict', 72],
  BUSYKEY: ['conflict', 72],
  MISCONF: ['upstream', 72],
  NOGROUP: ['not_found', 72],

  // Elasticsearch and OpenSearch
  circuit_breaking_exception: ['rate_limited', 74],
  cluster_manager_not_discovered_exception: ['not_ready', 72],
  document_missing_exception: ['not_found', 72],
  es_rejected_execution_exception: ['rate_limited', 74],
  master_not_discovered_exception: ['not_ready', 72],
  no_shard_available_action_exception: ['not_ready', 72],
  search_phase_execution_exception: ['upstream', 72],
  security_exception: ['forbidden', 75],

  // Kafka
  CONCURRENT_TRANSACTIONS: ['conflict+', 76],
  NOT_CONTROLLER: ['not_ready', 72],
  NOT_COORDINATOR: ['not_ready', 72],
  NOT_LEADER_FOR_PARTITION: ['not_ready', 72],

  // Clouds
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: ['forbidden', 75],
  AuthorizationProtocolMismatch: ['forbidden', 75],
  BandwidthLimitExceeded: ['rate_limited', 74],
  BlobImmutableDueToPolicy: ['forbidden', 75],
  CRC32CheckFailed: ['bad_response', 80],
  ContainerBeingDeleted: ['conflict', 72],
  CredentialsError: ['not_configured', 76],
  InvalidBucketState: ['conflict', 72],
  MissingRegion: ['not_configured', 76],
  NotAuthorized: ['forbidden', 75],
  OptInRequired: ['forbidden', 75],
  PriorRequestNotComplete: ['rate_limited', 74],
  ServiceException: ['upstream', 72],
  TokenRefreshRequired: ['unauthenticated', 75],
  UnknownEndpoint: ['unreachable', 72],
  UpdateConditionNotSatisfied: ['conflict', 72],
  backendError: ['upstream', 72],
  domainPolicy: ['forbidden', 75],

  // OAuth, payments and model providers
  account_deactivated: ['forbidden', 75],
  api_error: ['upstream', 72],
  authorization_pending: ['not_ready', 72],
  balance_insufficient: ['budget_exhausted', 74],
  consent_required: ['unauthenticated', 75],
  do_not_honor: ['budget_exhausted', 74],
  fraudulent: ['budget_exhausted', 74],
  idempotency_key_in_use: ['conflict', 72],
  invalid_redirect_uri: ['invalid_input', 72],
  method_deprecated: ['unsupported', 73],
  model_error: ['upstream', 72],
  no_channel: ['not_found', 72],
  safety_violations: ['denied', 74],
  secret_key_required: ['unauthenticated', 75],
  string_above_max_length: ['too_large', 73],
  tool_use_failed: ['bad_response', 80],

  // The DOM, and classes that many clients have
  BrokenCircuitError: ['not_ready', 92],
  InUseAttributeError: ['conflict', 92],
  InvariantError: ['internal', 92],
  NoModificationAllowedError: ['forbidden', 92],
  SecurityError: ['forbidden', 92],
  TransactionInactiveError: ['not_ready', 92],
};
