// Why a check did not pass: every code with its meaning. The same word in the report, the log and the reference.

export const codeMeanings = {
  BadAnswer: 'an answer came that the protocol does not allow, or one that ended early',
  CertificateExpired:
    "the server's certificate, or its authority, is no longer valid by the clock of this node",
  CertificateRefused:
    "the server's certificate is not signed by the cluster's authority or not for this address",
  CertificateTooEarly: "the server's certificate is not valid yet by the clock of this node",
  ClockSkewed: 'the clock of the node and that of the API server differ by more than allowed',
  DiskFull: 'less space is free than required',
  DiskSlow: 'synchronous writes take longer than allowed',
  Forbidden: 'the server knows the worker and refuses to answer it; says nothing about the node',
  InodesExhausted: 'fewer inodes are free than required',
  InternalError: 'the check itself broke; says nothing about the node',
  Interrupted: 'the worker was stopped before the check ended',
  LocalError: 'the machine refused what the check needs, such as a socket or a file',
  MtuBlackhole: 'small packets arrive and packets of full size vanish',
  NameNotFound: 'the DNS server says that the name does not exist (NXDOMAIN)',
  NoAddress: 'the name exists and has no address',
  NoCredentials: 'the token or the authority of the cluster is not mounted in the worker',
  NoDate: 'the server did not say what time it is',
  NoScratch: 'the directory for disk checks is not there or cannot be written',
  NothingToCheck: 'no target was given',
  PacketLoss: 'more packets were lost than allowed',
  PeerUnreachable: 'no peer answers small packets, so nothing can be said about large ones',
  QueryRefused: 'the DNS server refuses the question (REFUSED)',
  Refused: 'nothing listens at the address, or a firewall rejects it',
  Reset: 'the connection was cut',
  ServerFailure: 'the DNS server cannot answer (SERVFAIL or another error of its own)',
  ServerError: 'the API server answers 5xx or 429; says nothing about the node',
  Starved: 'the worker got too little processor time for its measurement to mean anything',
  Timeout: 'no answer within the time of the check',
  TlsFailed: 'the TLS handshake failed',
  Truncated: 'the answer does not fit a datagram and TCP does not bring it either',
  Unauthorized: 'the API server does not accept the token of the worker',
  Unreachable: 'there is no route to the address',
  WrongAddress: 'the name resolves to other addresses than the service has',
} as const;

export type Code = keyof typeof codeMeanings;
