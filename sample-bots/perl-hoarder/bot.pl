# Strategy: hoard the matadors. Plain tiles go first, the heaviest first, and
# ends are left blank where possible: only a matador can be played on a blank,
# and the matadors are here. When some other hand is nearly empty a matador's
# pips are worth more on the layout, and the hoard is given up.

use strict;
use warnings;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->utf8->canonical;
my $matador_sum = 7;

sub send_line { print $json->encode({@_}), "\n" }

# "N:4-1" as its tile's two halves, in the order played, and what joins them.
sub halves {
    my ($low, $across, $high) = $_[0] =~ /(\d+)([-|])(\d+)$/;
    return ($low, $high, $across);
}

sub is_matador {
    my ($one, $other) = @_;
    return $one + $other == $matador_sum || $one + $other == 0;
}

# The larger, the sooner this play is made.
sub eagerness {
    my ($play, $hoarding) = @_;
    my ($touching, $end, $joint) = halves($play);
    my $worth = $touching + $end;
    if ($hoarding) {
        $worth -= 2 * $matador_sum if is_matador($touching, $end);
        $worth += 4 if $end == 0;
    }
    $worth -= 1 if $joint eq '|';    # a matador across can be matched on both halves
    return $worth;
}

# Of several doubles, the one that most other tiles in the hand can follow.
sub followers {
    my ($lead, @hand) = @_;
    my ($pip) = halves($lead);
    my $answer = $matador_sum - $pip;
    return scalar grep { my ($low, $high) = halves($_); $low == $answer || $high == $answer } @hand;
}

# The first of the list whose score is the highest.
sub best {
    my ($score, @actions) = @_;
    my ($best, $highest);
    for my $action (@actions) {
        my $value = $score->($action);
        ($best, $highest) = ($action, $value) if !defined $highest || $value > $highest;
    }
    return $best;
}

sub choose {
    my ($turn) = @_;
    my @legal = @{ $turn->{legal} };
    my @hand  = @{ $turn->{hand} };
    if ($turn->{phase} eq 'lead') {
        my @leads = grep { /^lead:/ } @legal;
        return best(sub { followers($_[0], @hand) }, @leads) if @leads;
        return $legal[-1];    # nothing to lead: refuse, or draw when refusing is not allowed
    }
    my @others = @{ $turn->{counts} };
    splice @others, $turn->{seat}, 1;
    my $hoarding = !grep { $_ <= 2 } @others;
    return best(sub { eagerness($_[0], $hoarding) }, grep { /:/ } @legal);
}

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if ($message->{type} eq 'hello') {
        $matador_sum = $message->{rules}{set} + 1;
        send_line(type => 'ready', protocol => '1.0', name => 'perl-hoarder', version => '1');
    }
    elsif ($message->{type} eq 'turn') {
        send_line(type => 'action', id => $message->{id}, action => choose($message));
    }
}
